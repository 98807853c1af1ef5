import type { Credentials as CredentialsSchema } from '../schemas/credentials.js'
import type { Job as JobSchema } from '../schemas/items/job.js'
import type { Project as ProjectSchema } from '../schemas/items/project.js'
import type { Property as PropertySchema } from '../schemas/items/property.js'
import type { Workflow as WorkflowSchema } from '../schemas/items/workflow.js'
import type { Material as MaterialSchema } from '../schemas/items/material.js'

// Types of their own, because the bundled types would export a schema of the same name, too.

/** The two credentials of a session or of the account preferences, as headers. */
export type Credentials = CredentialsSchema

/** A material. */
export type Material = MaterialSchema

/** A job. */
export type Job = JobSchema

/** A workflow. */
export type Workflow = WorkflowSchema

/** A project. */
export type Project = ProjectSchema

/** A property, a result of a job. */
export type Property = PropertySchema
