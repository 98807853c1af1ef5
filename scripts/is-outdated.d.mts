export declare function isOutdated(built: string, others?: readonly string[]): boolean
