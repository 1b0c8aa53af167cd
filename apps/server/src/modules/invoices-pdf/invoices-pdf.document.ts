import { periodText } from '@slipway/contract/periods'
import { m } from '@slipway/phrases'
import type { Content, createPdf } from 'pdfmake'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import { itemTable, totals } from './invoices-pdf.table.ts'
import { cardText, countryText, dayText } from './invoices-pdf.texts.ts'

const muted = '#5c5c68'

const detail = (label: string, value: string): Content => ({
  columns: [
    { width: 110, text: label, color: muted },
    { width: '*', text: value },
  ],
  columnGap: 8,
  margin: [0, 0, 0, 4],
})

/** What the invoice is: its id, its dates, how it was paid. */
function details({ locale, invoice }: PrintedInvoice): Content {
  const { id, createdAt, endsAt, issuedAt, paidAt, paidWith } = invoice
  const of = { locale }
  return [
    detail(m.invoices_id({}, of), id),
    detail(m.invoices_period({}, of), periodText({ createdAt, endsAt }, locale)),
    ...(issuedAt ? [detail(m.invoices_issue_date({}, of), dayText(issuedAt, locale))] : []),
    detail(
      m.invoices_paid_date({}, of),
      paidAt ? dayText(paidAt, locale) : m.invoices_not_paid({}, of),
    ),
    ...(paidWith ? [detail(m.invoices_paid_with({}, of), cardText(paidWith, locale))] : []),
  ]
}

/** Who is billed: whom they named with the card it was paid with, or who has the account. */
function billedTo({ locale, billedTo: to, customer }: PrintedInvoice): Content {
  const lines = to
    ? [
        to.billingName,
        to.address,
        `${to.district}, ${to.city}`,
        countryText(to.country, locale),
        customer.email,
      ]
    : [customer.name, customer.email]
  return [
    { text: m.invoices_pdf_billed_to({}, { locale }), color: muted, margin: [0, 0, 0, 4] },
    ...lines.map((text, line): Content => ({ text, bold: line === 0, margin: [0, 0, 0, 2] })),
  ]
}

type PdfDocument = Parameters<typeof createPdf>[0]

/** The layout of an invoice on A4, in its reader's language; all that people have written is text. */
export function documentOf(printed: PrintedInvoice): PdfDocument {
  const { locale, invoice } = printed
  const title = m.invoices_invoice({}, { locale })
  const period = periodText(invoice, locale)
  return {
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
      {
        columns: [
          { text: 'Slipway', fontSize: 20, bold: true, color: '#2a52d1' },
          { text: title, fontSize: 20, alignment: 'right' },
        ],
        margin: [0, 0, 0, 24],
      },
      {
        columns: [
          { width: '*', stack: [details(printed)] },
          { width: 190, stack: [billedTo(printed)] },
        ],
        columnGap: 24,
        margin: [0, 0, 0, 24],
      },
      itemTable(invoice.items, locale),
      totals(invoice, locale),
      { text: m.invoices_dates_utc({}, { locale }), color: muted, margin: [0, 24, 0, 0] },
    ],
    footer: (page, pages) => ({
      columns: [
        { text: `Slipway · ${invoice.id}`, color: muted },
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
