import { addRuntimeVersion, listRuntimeVersions } from '@slipway/contract/runtimes'
import type { Bind } from '../../http/binder.ts'
import * as runtimeVersions from './runtime-versions.service.ts'

export const routes = (on: Bind) => {
  on(addRuntimeVersion, (ctx, { params, upload }) =>
    runtimeVersions.add(ctx, params.runtime, upload),
  )
  on(listRuntimeVersions, (ctx) => runtimeVersions.list(ctx))
}
