import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'

import { Text } from '@materials-mock/json'
import { submitJob } from '../jobs/job-lifecycle.js'
import { formatJobDirectory } from '../jobs/job-texts.js'
import { BoundExceeded, ItemNotFound, JobNotSubmittable } from '../errors.js'
import type { ItemRoute, ResourceOperation } from '../http/resource-routes.js'
import { liftBudget } from '../http/run-work.js'
import { toElements } from '../http/send-json.js'
import type { StoredFile } from '../store/files/file-storage.js'
import { toJobFileKey } from '../store/jobs/job-storage.js'
import { FileName, LOCATION, SignedUrl, toSignedUrl } from './file-routes.js'

const JobFile = Type.Object(
  {
    key: Text(
      '/cluster-001-home/demo/data/demo-default/job-9gyhfncWDhnSyzALv/pw_scf.out',
      'The path on the disk of the cluster.',
    ),
    size: Type.Integer({ minimum: 0, description: 'The number of bytes.', examples: [625] }),
    bucket: Text('materials-mock'),
    region: Text('us-east-1'),
    provider: Text('aws'),
    lastModified: Type.Integer({
      description: 'In seconds since the epoch.',
      examples: [1687407550],
    }),
    name: Text('pw_scf.out'),
    signedUrl: SignedUrl,
  },
  { $id: 'JobFile', description: 'A file of a job.' },
)
type JobFile = Static<typeof JobFile>

const PresignedUrlsBody = Type.Object(
  {
    files: Type.Array(FileName, {
      maxItems: 1000,
      description: 'Paths in the working directory of the job.',
      examples: [['pw_scf.out']],
    }),
  },
  { $id: 'PresignedUrlsBody', additionalProperties: false },
)
type PresignedUrlsBody = Static<typeof PresignedUrlsBody>

const PresignedUrls = Type.Object({
  presignedURLs: Type.Array(
    Type.Object({
      file: Text('pw_scf.out'),
      URL: Type.String({ description: 'A PUT stores the file.', examples: SignedUrl.examples }),
    }),
  ),
})

/** The body of `output-files`. The platform does not document it. */
const OutputFilesBody = Type.Unknown({
  $id: 'OutputFilesBody',
  examples: [{ files: ['pw_scf.out'] }],
})

const JOBS = ['jobs']

export const JOB_FILES: ResourceOperation<ItemRoute> = {
  method: 'GET',
  path: '/:id/files',
  only: JOBS,
  describe: () => ({
    summary: 'List the files of a job',
    description: 'The rendered inputs, the outputs and the log, and what was uploaded.',
    data: () => Type.Array(JobFile),
    errors: [
      new BoundExceeded('the rendered inputs of a job must have at most 8388608 characters'),
    ],
  }),
  async handle(request, reply) {
    const { params, accountId, store } = request
    const { resource, id } = params
    const entry = store.getCollection(resource).findById(id, store.visibleTo(accountId))
    if (entry === undefined) throw new ItemNotFound(resource, id)
    liftBudget(request) // the bands of some crystals take seconds
    const files = await reply.runWork(store.jobStorage.list(entry))
    const listed = describeFiles(request, formatJobDirectory(entry.item), files)
    return reply.listBody(await reply.runWork(toElements(listed)))
  },
}

function* describeFiles(
  request: FastifyRequest,
  directory: string,
  files: ReadonlyMap<string, StoredFile>,
): Iterable<JobFile> {
  for (const [name, file] of files) {
    yield {
      key: `${directory}/${name}`,
      size: file.content.length,
      ...LOCATION,
      lastModified: file.lastModified,
      name: name.split('/').at(-1) ?? name,
      signedUrl: toSignedUrl(request, 'getObject', file.key),
    }
  }
}

const SUBMIT: ResourceOperation<ItemRoute> = {
  method: 'POST',
  path: '/:id/submit',
  only: JOBS,
  describe: () => ({
    summary: 'Submit a job',
    description: 'The job is active after --job-duration, and finished after twice that time.',
    errors: [new JobNotSubmittable('nothing', '"finished"')],
  }),
  handle: async ({ params: { resource, id }, store }, reply) =>
    reply.writtenBody(resource, (writer) => {
      const entry = writer.find(id)
      return writer.replace(entry, submitJob(entry.item, store.clock.now()))
    }),
}

const PRESIGN_URLS: ResourceOperation<ItemRoute & { Body: PresignedUrlsBody }> = {
  method: 'POST',
  path: '/:id/presigned-urls',
  only: JOBS,
  describe: () => ({
    summary: 'Get URLs to upload files of a job',
    description: 'A PUT to a URL stores the body as the file. It needs no credentials.',
    body: PresignedUrlsBody,
    data: () => PresignedUrls,
  }),
  async handle(request) {
    const { params, accountId, store } = request
    store.writer(params.resource, accountId).find(params.id)
    const toUrl = (file: string): string =>
      toSignedUrl(request, 'putObject', toJobFileKey(params.id, file))
    return { presignedURLs: request.body.files.map((file) => ({ file, URL: toUrl(file) })) }
  },
}

const REPORT_FILES: ResourceOperation<ItemRoute> = {
  method: 'POST',
  path: '/:id/output-files',
  only: JOBS,
  describe: () => ({
    summary: 'Report uploaded files',
    description: 'It has no effect: a file is listed as soon as it is uploaded.',
    body: OutputFilesBody,
    data: () => Type.Object({}),
  }),
  async handle({ params: { resource, id }, accountId, store }) {
    store.writer(resource, accountId).find(id)
    return {}
  },
}

export const JOB_WRITES = [PRESIGN_URLS, REPORT_FILES, SUBMIT]
