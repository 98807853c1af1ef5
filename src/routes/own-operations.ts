import { Type } from '@sinclair/typebox'

import { ItemNotFound, JobNotSubmittable } from '../errors.js'
import { JobFile } from '../schemas/job-file.js'
import { Success } from '../schemas/jsend.js'
import { Material } from '../schemas/material.js'
import { Import } from '../schemas/new-item.js'
import type { OperationSchema } from '../schemas/operation.js'
import { BEHIND_AUTH, responses } from '../schemas/responses.js'
import { ItemId } from './resource-operations.js'
import { WITH_ITEM, WRITE, onItem } from './write-operations.js'

/** `GET /jobs/{id}/files`, as the document tells it. */
export const JOB_FILES = {
  operationId: 'jobs-files',
  tags: ['jobs'],
  summary: 'List the files of a job',
  description: "The inputs of its workflow's units, in the order of the units.",
  params: ItemId,
  responses: () =>
    responses(Success(Type.Array(JobFile)), [...BEHIND_AUTH, new ItemNotFound('jobs', 'nothing')]),
} satisfies OperationSchema

/** `POST /jobs/{id}/submit`, as the document tells it. */
export const JOB_SUBMISSION = {
  operationId: 'jobs-submit',
  tags: ['jobs'],
  summary: 'Submit a job',
  description: 'It becomes active, and then finished, by and by.',
  ...onItem('jobs', [new JobNotSubmittable('nothing', '"finished"')]),
} satisfies OperationSchema

/** `POST /materials/import`, as the document tells it. */
export const MATERIAL_IMPORT = {
  operationId: 'materials-import',
  tags: ['materials'],
  summary: 'Create a material from a structure file',
  description: 'The file is a POSCAR of VASP 5.',
  body: Import,
  responses: () => responses(Success(Material), [...WRITE, ...WITH_ITEM]),
} satisfies OperationSchema
