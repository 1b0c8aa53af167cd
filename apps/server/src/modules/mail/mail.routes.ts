import { listStuckEmails, retryEmail } from '@slipway/contract/emails'
import type { Bind } from '../../http/binder.ts'
import * as mail from './mail.service.ts'

export const routes = (on: Bind) => {
  on(listStuckEmails, (ctx, { query }) => mail.listStuck(ctx, query))
  on(retryEmail, (ctx, { params }) => mail.retry(ctx, params.id))
}
