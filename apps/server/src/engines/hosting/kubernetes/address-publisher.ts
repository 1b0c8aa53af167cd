import { createKeyedLock } from '../keyed-lock.ts'
import type { InstanceTable, NetworkAddress } from './instance-table.ts'

export type AddressPublisherOptions = {
  table: Pick<InstanceTable, 'publish' | 'remove'>
  /** Where an instance accepts requests now; null if it does not. */
  addressOf: (key: string) => NetworkAddress | null
}

/**
 * Writes the addresses of instances to the table. The writes of one instance run in sequence: a
 * late write must not replace a newer address, nor add one to an instance that was stopped.
 */
export function createAddressPublisher({ table, addressOf }: AddressPublisherOptions) {
  const locks = createKeyedLock()
  return {
    publish: (key: string) => locks.exclusively(key, () => table.publish(key, addressOf(key))),
    remove: (key: string) => locks.exclusively(key, () => table.remove(key)),
    idle: () => locks.idle(),
  }
}
