/** The parts of an instance of Swagger UI that the explorer uses. */
export interface SwaggerUi {
  /** Sets the value of a security scheme of the type `apiKey`. */
  preauthorizeApiKey(scheme: string, value: string): void
  readonly authActions: { logout(schemes: readonly string[]): void }
}

/** A request of Swagger UI. `loadSpec` is set for that of the document. */
export interface SwaggerRequest {
  readonly loadSpec?: boolean
  headers: Record<string, string>
}

/** A response to a request of Swagger UI. */
export interface SwaggerResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

/** The function that the script of Swagger UI defines. */
declare global {
  // oxlint-disable-next-line no-var -- a global function can only be declared as a variable
  var SwaggerUIBundle: (options: {
    readonly domNode: Element | null
    readonly url: string
    readonly deepLinking: boolean
    readonly tryItOutEnabled: boolean
    readonly validatorUrl: null
    readonly plugins: readonly (() => object)[]
    readonly syntaxHighlight: { readonly theme: string }
    /** Whether the request is shown as the interceptor leaves it. */
    readonly showMutatedRequest: boolean
    readonly requestInterceptor: (request: SwaggerRequest) => SwaggerRequest
    readonly responseInterceptor: (response: SwaggerResponse) => SwaggerResponse
    readonly onComplete: () => void
  }) => SwaggerUi
}
