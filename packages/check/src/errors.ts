import { defineError } from '@materials-mock/json'

/**
 * A deployment can't be checked or recorded, or no mock can be connected to: nothing answers there, it
 * refuses the credentials, or it is not a mock.
 */
export const DeploymentUnusable = defineError<[string]>('DEPLOYMENT_UNUSABLE', '%s')
