import { type InvoiceLine, invoiceLines } from '@slipway/contract/invoice-lines'
import { type InvoiceTotal, invoiceTotals, settledAmount } from '@slipway/contract/invoice-totals'
import type { InvoiceItem } from '@slipway/contract/invoices'
import { money, toAmount } from '@slipway/contract/money'
import { formatCharge, formatMoney, formatRate, type Locale, m } from '@slipway/phrases'
import type { Content, TableCell } from 'pdfmake'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import {
  cardText,
  chargeNote,
  dayText,
  hoursText,
  lineText,
  settledText,
} from './invoices-pdf.texts.ts'

const muted = '#5c5c68'

/** As wide as the last sum, which is larger than the others. */
const netWidth = 104

const alignedRight = (text: string): TableCell => ({ text, alignment: 'right' })

const rowOf = (item: InvoiceItem, line: InvoiceLine | undefined, locale: Locale): TableCell[] => [
  {
    stack: [
      item.projectName,
      { text: item.product, color: muted },
      ...(line ? [{ text: lineText(line, item.product, locale), color: muted }] : []),
    ],
  },
  alignedRight(hoursText(item.runningHours, locale)),
  alignedRight(formatMoney(item.price, locale)),
  alignedRight(item.discount === null ? '–' : formatMoney(item.discount, locale)),
  alignedRight(formatMoney(item.totalAmount, locale)),
]

/** The items, one row each; the header repeats on every page. */
export function itemTable(items: readonly InvoiceItem[], locale: Locale): Content {
  const options = { locale }
  const lines = invoiceLines(items)
  const head = [
    `${m.invoices_project({}, options)} / ${m.invoices_product({}, options)}`,
    m.invoices_duration({}, options),
    m.invoices_price({}, options),
    m.invoices_discount({}, options),
    m.invoices_net({}, options),
  ].map(
    (text, column): TableCell => ({
      text,
      color: muted,
      alignment: column === 0 ? 'left' : 'right',
    }),
  )
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      // Fixed widths that add up to A4 less margins and paddings: an automatic column grows to its
      // longest word and pushes the others off the page.
      widths: [163, 50, 62, 72, netWidth],
      body: [head, ...items.map((item) => rowOf(item, lines.get(item.id), locale))],
    },
    layout: {
      hLineWidth: (line) => (line === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => '#c8c8d0',
      paddingLeft: (column) => (column === 0 ? 0 : 8),
      paddingRight: (column) => (column === 4 ? 0 : 8),
      paddingTop: () => 5,
      paddingBottom: () => 4,
    },
  }
}

type Invoice = PrintedInvoice['invoice']

type Label = (invoice: Invoice, locale: Locale) => string

const labels: Record<InvoiceTotal['kind'], Label> = {
  undiscounted: (_, locale) => m.invoices_undiscounted({}, { locale }),
  discount: (_, locale) => m.invoices_discount_total({}, { locale }),
  subtotal: (_, locale) => m.invoices_subtotal({}, { locale }),
  tax: ({ tax }, locale) => m.invoices_tax({ rate: formatRate(tax.rate, locale) }, { locale }),
  total: (_, locale) => m.invoices_total({}, { locale }),
  rounding: (_, locale) => m.invoices_rounding({}, { locale }),
  settled: ({ paidAt }, locale) =>
    paidAt === null
      ? m.invoices_amount_due({}, { locale })
      : m.invoices_grand_total({}, { locale }),
}

type Look = {
  color?: string
  bold?: boolean
  fontSize?: number
  margin?: [number, number, number, number]
}

const looks = {
  quiet: { color: muted },
  strong: { bold: true },
  large: { bold: true, fontSize: 14, margin: [0, 4, 0, 4] },
} satisfies Record<string, Look>

const line = (label: string, value: string, look: keyof typeof looks = 'quiet'): TableCell[] => {
  const style: Look = looks[look]
  return [
    { ...style, text: label, alignment: 'right' },
    { ...style, text: value, alignment: 'right', color: 'black', noWrap: true },
  ]
}

/** When and with which card the total was paid, what was charged, and that nothing is due. */
function paymentLines(
  { paidAt, paidWith, charge, ...invoice }: Invoice,
  locale: Locale,
): TableCell[][] {
  if (paidAt === null) return []
  const day = m.invoices_payment_on({ day: dayText(paidAt, locale) }, { locale })
  const paid = toAmount(money(settledAmount({ ...invoice, paidAt, charge })).neg())
  const note = charge && chargeNote(charge, locale)
  return [
    line(paidWith ? `${day} (${cardText(paidWith, locale)})` : day, settledText(paid, locale)),
    ...(note ? [line(note, '')] : []),
    line(m.invoices_amount_due({}, { locale }), formatCharge('0', locale), 'strong'),
  ]
}

export function totals(invoice: Invoice, locale: Locale): Content {
  const body = invoiceTotals(invoice).map(({ kind, amount }): TableCell[] => {
    const label = labels[kind](invoice, locale)
    return kind === 'settled'
      ? line(label, settledText(amount, locale), 'large')
      : line(label, formatMoney(amount, locale))
  })
  return {
    unbreakable: true,
    table: {
      widths: ['*', netWidth],
      body: [...body, ...paymentLines(invoice, locale)],
    },
    layout: {
      hLineWidth: (line) => (line === body.length - 1 ? 0.5 : 0),
      vLineWidth: () => 0,
      hLineColor: () => '#c8c8d0',
      paddingLeft: () => 8,
      paddingRight: (column) => (column === 1 ? 0 : 8),
    },
    margin: [0, 8, 0, 0],
  } as Content
}
