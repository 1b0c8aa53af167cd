import { runtimes } from '@slipway/contract/runtimes'
import { vi } from 'vitest'
import type { World } from '../../testing/world.ts'

/** Lets projects use all runtimes, for tests in which no engine runs. */
export function offerAllRuntimes({ ctx }: World): void {
  const capabilities = runtimes.map((id) => ({ id, version: null, reason: null }))
  vi.spyOn(ctx.engine, 'capabilities').mockResolvedValue(capabilities)
}
