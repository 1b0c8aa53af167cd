import type { InvoiceId, PaymentId } from '@slipway/contract/invoices'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type { ProjectId } from '@slipway/contract/projects'
import type { TicketId } from '@slipway/contract/support'
import type { Field } from './attempt.ts'

export type ProjectEntry = {
  id: ProjectId
  key: string
  name: Field<string>
  domain: Field<string | null>
  deleted: Field<boolean>
}

export type TicketEntry = {
  id: TicketId
  resolved: Field<boolean>
  /** The texts of acknowledged messages, each sent once however often it was retried. */
  messages: string[]
}

export type UserEntry = {
  email: string
  name: Field<string>
  projects: ProjectEntry[]
  tickets: TicketEntry[]
  cards: PaymentMethodId[]
  /** Acknowledged as succeeded. */
  payments: { id: PaymentId; invoiceIds: InvoiceId[] }[]
}

/** What the service has acknowledged, and what it may have done. */
export type Journal = {
  users: UserEntry[]
  acknowledged: number
  rejected: number
  unknown: number
  /** Visits to sites by status. */
  visits: Map<string, number>
  /** Rejections that no user expects, such as that of a session that was acknowledged. */
  unexpected: string[]
}

export const createJournal = (): Journal => ({
  users: [],
  acknowledged: 0,
  rejected: 0,
  unknown: 0,
  visits: new Map(),
  unexpected: [],
})
