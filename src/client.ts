/** What `materials-mock/client` exports. */
export * from '@materials-mock/client'
