/** A server that can be started. */
export interface ServerCommand {
  readonly name: string
  /** Returns the arguments of Node: the script and its arguments, with this port. */
  readonly createArguments: (port: number) => readonly string[]
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The path of a request that the server answers with 200 when it is ready. The first list of each
   * server with the same items has as many of them.
   */
  readonly readyPath: string
}
