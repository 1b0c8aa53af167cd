import type { AnswerOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import type { BillingFields } from '@slipway/contract/payment-methods'
import type { Locale } from '@slipway/phrases'

/** What a PDF is made of: the answer that the screen shows, so that no number differs, and who is billed. */
export type PrintedInvoice = {
  locale: Locale
  invoice: AnswerOf<typeof viewInvoice>
  /** Whom whoever paid it wanted it for; null while it is unpaid. */
  billedTo: BillingFields | null
  customer: { name: string; email: string }
}
