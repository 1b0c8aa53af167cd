import { hash } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { Id } from '@slipway/contract/id'
import type { InvoiceId, InvoiceItemId } from '@slipway/contract/invoices'
import type { ProjectId } from '@slipway/contract/projects'

/**
 * A deterministic id in the form of a UUIDv7 (RFC 9562 §5.7), with the time and a hash of `names`.
 */
function idFrom<Kind extends string>(time: Date, names: readonly string[]) {
  const bytes = hash('sha256', names.join(' '), 'buffer').subarray(0, 16)
  bytes.writeUIntBE(time.getTime(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id<Kind>
}

/** The id of a user's invoice for the period that begins at `start`, known before the issue. */
export const invoiceIdOf = (userId: UserId, start: Date): InvoiceId =>
  idFrom(start, ['invoice', userId, start.toISOString()])

/** The id of an item in that invoice, by project, product and first hour. */
export const itemIdOf = (
  userId: UserId,
  start: Date,
  {
    projectId,
    productId,
    firstHour,
  }: { projectId: ProjectId; productId: string; firstHour: number },
): InvoiceItemId =>
  idFrom(start, ['item', userId, start.toISOString(), projectId, productId, firstHour.toString()])
