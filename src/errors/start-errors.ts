import { defineError as define } from './define-error.js'

/** The server can't start because an option is wrong. The message names it and quotes its value. */
export const OptionsInvalid = define<[string]>('OPTIONS_INVALID', '%s')

/** The server can't start because of its fixtures. The message names file, item and path. */
export const FixturesInvalid = define<[string]>('FIXTURES_INVALID', '%s')

/** A deployment can't be checked or recorded: nothing answers there, or it refuses the credentials. */
export const DeploymentUnusable = define<[string]>('DEPLOYMENT_UNUSABLE', '%s')

/** The server can't start because of its folder of state. The message names the folder or a file. */
export const StateInvalid = define<[string]>('STATE_INVALID', '%s')
