import { createHmac } from 'node:crypto'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import * as secrets from '../secrets/secrets.service.ts'

type Ctx = Pick<Context, 'clock' | 'sealing' | 'write'>

/**
 * The client secret of a project's site, 256 bits in base64url. It is derived from a shared key
 * (the expand step of RFC 5869 §2.3 with one block), so it is never stored.
 */
export async function clientSecret(ctx: Ctx, projectId: ProjectId): Promise<string> {
  const key = await secrets.sharedKey(ctx, 'site-clients')
  return createHmac('sha256', key).update(`client secret ${projectId}\x01`).digest('base64url')
}

/** The OpenID Connect settings a site gets; its client id is the project's key. */
export async function signIn(
  ctx: Ctx & Pick<Context, 'env'>,
  project: { id: ProjectId; key: string },
): Promise<Instance['signIn']> {
  return {
    issuer: ctx.env.PUBLIC_URL,
    clientId: project.key,
    clientSecret: await clientSecret(ctx, project.id),
  }
}
