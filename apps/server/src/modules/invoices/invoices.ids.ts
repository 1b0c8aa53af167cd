import { hash } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { Id } from '@slipway/contract/id'
import type { InvoiceId, InvoiceItemId } from '@slipway/contract/invoices'
import type { ProjectId } from '@slipway/contract/projects'

/**
 * An id of the form of UUIDv7 (RFC 9562 §5.7) that follows from what it names: whoever computes it gets the
 * same one. It lies among the others by `moment`.
 */
function idFrom<Kind extends string>(moment: Date, names: readonly string[]) {
  const bytes = hash('sha256', names.join(' '), 'buffer').subarray(0, 16)
  bytes.writeUIntBE(moment.getTime(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id<Kind>
}

/** The id of somebody's invoice for the period that begins then: it has it before it is issued. */
export const invoiceIdOf = (userId: UserId, start: Date): InvoiceId =>
  idFrom(start, ['invoice', userId, start.toISOString()])

/** The id of an item in that invoice: what a product cost in the project from that hour of its month on. */
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
