import type { ResponseOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import type { Locale } from '@slipway/phrases'

/** What a PDF is made of: the answer that the screen shows, so that nothing differs. */
export type PrintedInvoice = { locale: Locale; invoice: ResponseOf<typeof viewInvoice> }
