import { viewNextSteps } from '@slipway/contract/next-steps'
import type { Bind } from '../../http/binder.ts'
import * as nextSteps from './next-steps.service.ts'

export const routes = (on: Bind) => {
  on(viewNextSteps, (ctx, { params }) => nextSteps.view(ctx, params.id))
}
