import type { InvoiceId, InvoiceRunId, PaymentId } from '@slipway/contract/invoices'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type { ProjectId } from '@slipway/contract/projects'
import type { ReleaseId } from '@slipway/contract/releases'
import type { TicketId } from '@slipway/contract/support'
import type { Field } from './attempt.ts'

export type ProjectEntry = {
  id: ProjectId
  key: string
  name: Field<string>
  domain: Field<string | null>
  power: Field<'running' | 'stopped'>
  deleted: Field<boolean>
  /** Acknowledged releases, each with the text of its page. */
  releases: { id: ReleaseId; number: number; text: string }[]
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
  /** True once its usage was backdated, as if its projects had run for a year. */
  isAged: boolean
}

/** The writes that the service has acknowledged, and those whose outcome is unknown. */
export type Journal = {
  users: UserEntry[]
  acknowledged: number
  rejected: number
  unknown: number
  /** Runs that issue all invoices, and single invoices that an operator issued. */
  runs: InvoiceRunId[]
  invoices: InvoiceId[]
  /** Sockets that were opened, and their events. */
  sockets: { opened: number; events: number }
  visits: Map<string, number>
  /** Rejections that no user expects, such as the rejection of an acknowledged session. */
  unexpected: string[]
}

export const createJournal = (): Journal => ({
  users: [],
  acknowledged: 0,
  rejected: 0,
  unknown: 0,
  runs: [],
  invoices: [],
  sockets: { opened: 0, events: 0 },
  visits: new Map(),
  unexpected: [],
})
