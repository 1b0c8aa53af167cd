import { settledAmount } from '@slipway/contract/invoice-totals'
import { formatPeriod, type Locale, m } from '@slipway/phrases'
import type { Content, createPdf } from 'pdfmake'
import { mark } from '../../brand.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import { itemTable, totals } from './invoices-pdf.table.ts'
import { billingRule, countryText, dayText, settledText } from './invoices-pdf.texts.ts'

const muted = '#5c5c68'

const detail = (label: string, value: string): Content => ({
  columns: [
    { width: 88, text: label, color: muted },
    { width: '*', text: value },
  ],
  columnGap: 8,
  margin: [0, 0, 0, 4],
})

function details({ locale, invoice }: PrintedInvoice): Content[] {
  const { number, createdAt, endsAt, issuedAt, dueAt } = invoice
  const options = { locale }
  return [
    ...(number === null ? [] : [detail(m.invoices_number({}, options), number)]),
    detail(m.invoices_active_period({}, options), formatPeriod(createdAt, endsAt, locale)),
    ...(issuedAt ? [detail(m.invoices_issue_date({}, options), dayText(issuedAt, locale))] : []),
    detail(m.invoices_due_date({}, options), dayText(dueAt, locale)),
  ]
}

const taxLine = (number: string | null, locale: Locale) =>
  number === null ? [] : [m.invoices_tax_number({ number }, { locale })]

function billedTo({ locale, invoice }: PrintedInvoice): Content[] {
  const { name, address: to, email, taxNumber } = invoice.billedTo
  const lines = [
    ...(to ? [to.address, `${to.district}, ${to.city}`, countryText(to.country, locale)] : []),
    ...taxLine(taxNumber, locale),
    email,
  ]
  return [
    { text: m.invoices_billed_to({}, { locale }), color: muted, margin: [0, 0, 0, 4] },
    { text: name, bold: true, margin: [0, 0, 0, 2] },
    ...lines.map((text): Content => ({ text, margin: [0, 0, 0, 2] })),
  ]
}

/** The seller, as on writing paper. */
const letterhead = ({ locale, invoice: { seller } }: PrintedInvoice): Content => ({
  columns: [
    { width: 28, svg: mark },
    {
      width: '*',
      stack: [
        { text: seller.name, fontSize: 14, bold: true, margin: [0, 6, 0, 6] },
        ...[...seller.address, ...taxLine(seller.taxNumber, locale)].map(
          (text): Content => ({ text, color: muted, margin: [0, 0, 0, 2] }),
        ),
      ],
    },
    { width: 'auto', text: m.invoices_invoice({}, { locale }), fontSize: 20, bold: true },
  ],
  columnGap: 8,
  margin: [0, 0, 0, 24],
})

/** When the invoice was paid or is due. A PDF outlives the state overdue, so it has the date. */
function statusOf({ paidAt, payment, dueAt }: PrintedInvoice['invoice'], locale: Locale) {
  const options = { locale }
  if (paidAt) return m.invoices_paid_on({ day: dayText(paidAt, locale) }, options)
  if (payment?.state === 'in_progress') return m.invoices_state_in_progress({}, options)
  return m.invoices_due_now({ day: dayText(dueAt, locale) }, options)
}

const headline = ({ locale, invoice }: PrintedInvoice): Content => ({
  text: `${settledText(settledAmount(invoice), locale)} · ${statusOf(invoice, locale)}`,
  fontSize: 14,
  bold: true,
  margin: [0, 0, 0, 16],
})

type PdfDocument = Parameters<typeof createPdf>[0]

/** The PDF layout of an invoice on A4. Users' input is plain text, never markup. */
export function documentOf(printed: PrintedInvoice): PdfDocument {
  const { locale, invoice } = printed
  const period = formatPeriod(invoice.createdAt, invoice.endsAt, locale)
  return {
    version: '1.7',
    pageSize: 'A4',
    pageMargins: [40, 48, 40, 56],
    language: locale,
    displayTitle: true,
    info: {
      title: `Slipway: ${m.invoices_heading({ period }, { locale })}`,
      author: 'Slipway',
      creator: 'Slipway',
      producer: 'Slipway',
      ...(invoice.issuedAt ? { creationDate: new Date(invoice.issuedAt) } : {}),
    },
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15 },
    content: [
      letterhead(printed),
      {
        columns: [
          { width: '*', stack: details(printed) },
          { width: '*', stack: billedTo(printed) },
        ],
        columnGap: 24,
        margin: [0, 0, 0, 20],
      },
      headline(printed),
      itemTable(invoice.items, locale),
      totals(invoice, locale),
      {
        stack: [
          `${billingRule(invoice.items, locale)} ${m.invoices_dates_utc({}, { locale })}`,
          `${m.invoices_id({}, { locale })}: ${invoice.id}`,
        ],
        color: muted,
        margin: [0, 20, 0, 0],
      },
    ],
    footer: (page, pages) => ({
      columns: [
        { text: `${invoice.seller.name} · ${invoice.number ?? invoice.id}`, color: muted },
        {
          text: m.invoices_pdf_page({ page, pages }, { locale }),
          alignment: 'right',
          color: muted,
        },
      ],
      margin: [40, 20, 40, 0],
    }),
  }
}
