/** Balls and rods, each turned from y to its own axis. */
export const SOLID_VERTEX = `#version 300 es
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec3 normal;
  layout(location = 2) in vec3 base;
  layout(location = 3) in vec3 axis;
  layout(location = 4) in float radius;
  layout(location = 5) in vec3 color;
  uniform mat4 modelView;
  uniform mat4 projection;
  out vec3 point;
  out vec3 outward;
  out vec3 light;
  void main() {
    vec3 along = normalize(axis);
    vec3 across = normalize(cross(along, abs(along.y) > 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
    mat3 turn = mat3(across, along, cross(across, along));
    vec4 seen = modelView * vec4(base + turn * (place * vec3(radius, length(axis), radius)), 1);
    point = seen.xyz;
    outward = mat3(modelView) * turn * normal;
    light = color;
    gl_Position = projection * seen;
  }
`

const FRAGMENT_HEAD = `#version 300 es
  precision highp float;
  in vec3 point;
  in vec3 outward;
  in vec3 light;
  uniform bool isParallel;
  uniform vec2 fog;
  uniform vec3 fogColor;
  out vec4 result;
  const float PI = 3.14159265;
  // Of linear light, as sRGB encodes it.
  vec3 encode(vec3 linear) {
    vec3 bright = 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055;
    return mix(bright, 12.92 * linear, vec3(lessThanEqual(linear, vec3(0.0031308))));
  }
  void finish(vec3 linear) {
    result = vec4(mix(encode(linear), fogColor, smoothstep(fog.x, fog.y, -point.z)), 1);
  }
`

/**
 * Light and shade of a matt gloss, as of wooden models (Blinn–Phong). The lights stay with the viewer: a
 * main one from the upper left, a weak one from the lower right, and the sky.
 */
export const SOLID_FRAGMENT = `${FRAGMENT_HEAD}
  const vec3 GLOSS = vec3(0.0685);
  const float SHININESS = 48.0;
  vec3 lit(vec3 normal, vec3 toViewer, vec3 toLight, vec3 strength) {
    vec3 halfway = normalize(toLight + toViewer);
    float facing = clamp(dot(toViewer, halfway), 0.0, 1.0);
    float edge = exp2((-5.55473 * facing - 6.98316) * facing);
    float peak = (SHININESS * 0.5 + 1.0) * pow(clamp(dot(normal, halfway), 0.0, 1.0), SHININESS);
    vec3 shine = (GLOSS * (1.0 - edge) + edge) * 0.25 * peak;
    return clamp(dot(normal, toLight), 0.0, 1.0) * strength / PI * (light + shine);
  }
  void main() {
    vec3 normal = normalize(outward);
    vec3 toViewer = isParallel ? vec3(0, 0, 1) : normalize(-point);
    vec3 sky = mix(vec3(0.2747, 0.2961, 0.3372), vec3(1), 0.5 * normal.y + 0.5);
    finish(light * sky * 1.35 / PI
      + lit(normal, toViewer, normalize(vec3(-3, 5, 6)), vec3(2.1))
      + lit(normal, toViewer, normalize(vec3(5, -3, 4)), vec3(0.3690, 0.4035, 0.5)));
  }
`

/** Colour alone, without light and shade. */
export const FLAT_FRAGMENT = `${FRAGMENT_HEAD}
  void main() {
    finish(light);
  }
`

/** Texts that face the viewer, each in front of its own ball. */
export const LABEL_VERTEX = `#version 300 es
  layout(location = 0) in vec3 center;
  layout(location = 1) in float radius;
  layout(location = 2) in vec2 corner;
  uniform mat4 modelView;
  uniform mat4 projection;
  uniform vec2 size;
  uniform float height;
  uniform bool isParallel;
  out vec2 place;
  void main() {
    vec2 share = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec4 point = modelView * vec4(center, 1);
    // In a parallel projection, the viewer is at no point, but in the direction of z.
    vec3 toViewer = isParallel ? vec3(0, 0, 1) : normalize(-point.xyz);
    point.xyz += toViewer * (radius + 0.02);
    point.xy += (share - 0.5) * vec2(2, 1) * height * radius;
    place = corner + share * size;
    gl_Position = projection * point;
  }
`

export const LABEL_FRAGMENT = `#version 300 es
  precision highp float;
  uniform sampler2D atlas;
  in vec2 place;
  out vec4 result;
  void main() {
    result = texture(atlas, place);
    if (result.a < 0.02) discard;
  }
`
