import * as z from 'zod/mini'

/** `name@sha256:…`, as registries address an image that never changes. */
const imageReference = /^[a-z0-9][a-z0-9._:/-]{0,254}@sha256:[0-9a-f]{64}$/
const absolutePath = /^\/[A-Za-z0-9._~/-]{0,255}$/

/** A container image and how it runs: what a project of the runtime `image` deploys. */
export const containerImage = z.object({
  /** The image by its digest. */
  reference: z.string().check(z.regex(imageReference, 'form_invalid')),
  /** The port that its program listens on. */
  port: z.int('form_invalid').check(z.gte(1, 'form_invalid'), z.lte(65_535, 'form_invalid')),
  /** The path that is requested to see that it works. */
  healthPath: z._default(z.string().check(z.regex(absolutePath, 'form_invalid')), '/'),
  /** The user that it runs as; never root. */
  userId: z._default(
    z.int('form_invalid').check(z.gte(1, 'form_invalid'), z.lte(65_534, 'form_invalid')),
    1000,
  ),
  /** The folder whose files stay; null for a program without data. */
  dataPath: z._default(
    z.nullable(
      z.string().check(
        z.regex(absolutePath, 'form_invalid'),
        // A volume there would hide the system.
        z.refine((path) => path.replace(/\/+$/, '') !== '' && !path.includes('..'), 'form_invalid'),
      ),
    ),
    null,
  ),
})
export type ContainerImage = z.output<typeof containerImage>
