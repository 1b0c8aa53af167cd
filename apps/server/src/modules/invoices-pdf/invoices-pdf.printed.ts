import type { ResponseOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import type { Locale } from '@slipway/phrases'

/** The content of a PDF: the same response that the screen shows. */
export type PrintedInvoice = { locale: Locale; invoice: ResponseOf<typeof viewInvoice> }
