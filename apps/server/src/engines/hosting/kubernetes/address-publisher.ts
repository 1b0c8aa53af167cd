import { createKeyedLock } from '../keyed-lock.ts'
import type { InstanceTable, NetworkAddress } from './instance-table.ts'

export type AddressPublisherOptions = {
  table: Pick<InstanceTable, 'publish' | 'remove'>
  /** Where an instance accepts requests now; null where it does not. */
  addressOf: (key: string) => NetworkAddress | null
}

/**
 * Writes the addresses of instances to the table. The writes of one instance run in sequence: a
 * late write must not replace a newer address, nor add one to an instance that was stopped.
 */
export function createAddressPublisher({ table, addressOf }: AddressPublisherOptions) {
  const locks = createKeyedLock()
  return {
    /** Stores where the instance accepts requests. */
    publish: (key: string) => locks.exclusively(key, () => table.publish(key, addressOf(key))),
    /** Removes the instance from the table. */
    remove: (key: string) => locks.exclusively(key, () => table.remove(key)),
    /** Resolves once no write runs or waits. */
    idle: () => locks.idle(),
  }
}
