# Serves the shipped fixtures on port 4000. docs/options.md says how to build and run it.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/NOTICE ./
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/dist ./dist
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "const options = { port: 4000, path: '/__admin/health', rejectUnauthorized: false }; const ask = (kind, next) => require(kind).get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', next); ask('http', () => ask('https', () => process.exit(1)))"]
ENTRYPOINT ["node", "dist/cli.cjs", "--host", "0.0.0.0", "--port", "4000", "--admin"]
