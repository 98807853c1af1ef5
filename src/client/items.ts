import type { Credentials as CredentialsSchema } from '../store/sign-in/credentials.js'
import type { Job as JobSchema } from '../domain/items/job.js'
import type { Project as ProjectSchema } from '../domain/items/project.js'
import type { Property as PropertySchema } from '../domain/items/property.js'
import type { Workflow as WorkflowSchema } from '../domain/items/workflow.js'
import type { Material as MaterialSchema } from '../domain/items/material.js'

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
