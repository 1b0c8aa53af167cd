import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idInput } from './id.ts'

/** The steps after the creation of a project; true once done. */
export const nextSteps = z.object({
  /** A release is live, or a member has signed in to edit the site. */
  content: z.boolean(),
  /** A custom domain leads to the site. */
  domain: z.boolean(),
  /** The team has another member, or an open invitation. */
  invitation: z.boolean(),
})
export type NextSteps = z.output<typeof nextSteps>

export const viewNextSteps = endpoint('GET /management/project/next-steps/:id', {
  summary: 'Get which of the first steps of a project are done',
  access: 'project',
  params: { id: idInput<'Project'>() },
  response: nextSteps,
  errors: ['project_not_found'],
})
