import { settledAmount } from '@slipway/contract/invoice-totals'
import { formatPeriod, type Locale, m } from '@slipway/phrases'
import type { Content, createPdf } from 'pdfmake'
import { mark } from '../../brand.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import { itemTable, totals } from './invoices-pdf.table.ts'
import {
  billingRule,
  cardText,
  chargeText,
  countryText,
  dayText,
  settledText,
} from './invoices-pdf.texts.ts'

const muted = '#5c5c68'

const detail = (label: string, value: string): Content => ({
  columns: [
    { width: 110, text: label, color: muted },
    { width: '*', text: value },
  ],
  columnGap: 8,
  margin: [0, 0, 0, 4],
})

function details({ locale, invoice }: PrintedInvoice): Content {
  const { number, id, createdAt, endsAt, issuedAt, dueAt } = invoice
  const options = { locale }
  return [
    ...(number === null ? [] : [detail(m.invoices_number({}, options), number)]),
    detail(m.invoices_period({}, options), formatPeriod(createdAt, endsAt, locale)),
    ...(issuedAt ? [detail(m.invoices_issue_date({}, options), dayText(issuedAt, locale))] : []),
    detail(m.invoices_due_date({}, options), dayText(dueAt, locale)),
    detail(m.invoices_id({}, options), id),
  ]
}

/** One line: the time of the payment, the card and the charge. */
function payment({ locale, invoice: { paidAt, paidWith, charge } }: PrintedInvoice): Content {
  const value =
    paidAt === null
      ? [m.invoices_not_paid({}, { locale })]
      : [
          dayText(paidAt, locale),
          ...(paidWith ? [cardText(paidWith, locale)] : []),
          ...(charge ? [chargeText(charge, locale)] : []),
        ]
  return {
    columns: [
      { width: 110, text: m.invoices_paid_date({}, { locale }), color: muted },
      { width: '*', text: value.join(' · ') },
    ],
    columnGap: 8,
    margin: [0, 16, 0, 0],
  }
}

const taxLine = (number: string | null, locale: Locale) =>
  number === null ? [] : [m.invoices_tax_number({ number }, { locale })]

function billedTo({ locale, invoice }: PrintedInvoice): Content {
  const { name, address: to, email, taxNumber } = invoice.billedTo
  const lines = [
    name,
    ...(to ? [to.address, `${to.district}, ${to.city}`, countryText(to.country, locale)] : []),
    ...taxLine(taxNumber, locale),
    email,
  ]
  return party(m.invoices_billed_to({}, { locale }), lines)
}

const seller = ({ locale, invoice: { seller: from } }: PrintedInvoice): Content =>
  party(m.invoices_seller({}, { locale }), [
    from.name,
    ...from.address,
    ...taxLine(from.taxNumber, locale),
  ])

const party = (label: string, lines: readonly string[]): Content => [
  { text: label, color: muted, margin: [0, 0, 0, 4] },
  ...lines.map((text, line): Content => ({ text, bold: line === 0, margin: [0, 0, 0, 2] })),
]

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
  margin: [0, 0, 0, 20],
})

type PdfDocument = Parameters<typeof createPdf>[0]

/** The PDF layout of an invoice on A4. Users' input is plain text, never markup. */
export function documentOf(printed: PrintedInvoice): PdfDocument {
  const { locale, invoice } = printed
  const title = m.invoices_invoice({}, { locale })
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
      {
        columns: [
          { width: 28, svg: mark },
          { width: '*', text: invoice.seller.name, fontSize: 14, bold: true, margin: [0, 6, 0, 0] },
          { width: 'auto', text: title, fontSize: 20, bold: true },
        ],
        columnGap: 8,
        margin: [0, 0, 0, 16],
      },
      { stack: [details(printed)], margin: [0, 0, 0, 16] },
      {
        columns: [
          { width: '*', stack: [seller(printed)] },
          { width: '*', stack: [billedTo(printed)] },
        ],
        columnGap: 24,
        margin: [0, 0, 0, 24],
      },
      headline(printed),
      itemTable(invoice.items, locale),
      totals(invoice, locale),
      payment(printed),
      {
        stack: [billingRule(invoice.items, locale), m.invoices_dates_utc({}, { locale })],
        color: muted,
        margin: [0, 24, 0, 0],
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
