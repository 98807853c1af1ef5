import type { ItemTypes as ItemTypesOfServer } from '../resources/resources.js'
import type { Credentials as CredentialsSchema } from '../store/sign-in/credentials.js'

/** The two credentials of a session or of the account preferences, as headers. */
export type Credentials = CredentialsSchema

/** The types of items by their resources. */
export interface ItemTypes extends ItemTypesOfServer {}

// Types of their own, because the bundled types would export a schema of the same name, too.

/** A material. */
export type Material = ItemTypes['materials']

/** A job. */
export type Job = ItemTypes['jobs']

/** A workflow. */
export type Workflow = ItemTypes['workflows']

/** A project. */
export type Project = ItemTypes['projects']

/** A property, a result of a job. */
export type Property = ItemTypes['properties']
