import { type InvoiceLine, invoiceLines } from '@slipway/contract/invoice-lines'
import type { InvoiceItem } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import { formatMoney, formatRate, type Locale, m } from '@slipway/phrases'
import type { Content, TableCell } from 'pdfmake'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import { hoursText, lineText } from './invoices-pdf.texts.ts'

const muted = '#5c5c68'

/** The width of the column of the amounts. */
const netWidth = 76

const end = (text: string): TableCell => ({ text, alignment: 'right' })

const rowOf = (item: InvoiceItem, line: InvoiceLine | undefined, locale: Locale): TableCell[] => [
  {
    stack: [
      item.projectName,
      { text: item.product, color: muted },
      ...(line ? [{ text: lineText(line, item.product, locale), color: muted }] : []),
    ],
  },
  end(hoursText(item.runningHours, locale)),
  end(formatMoney(item.price, locale)),
  end(item.discount === null ? '–' : formatMoney(item.discount, locale)),
  end(formatMoney(item.totalAmount, locale)),
]

/** The items, one row each; the header repeats on every page. */
export function itemTable(items: readonly InvoiceItem[], locale: Locale): Content {
  const of = { locale }
  const lines = invoiceLines(items)
  const head = [
    `${m.invoices_project({}, of)} / ${m.invoices_product({}, of)}`,
    m.invoices_duration({}, of),
    m.invoices_price({}, of),
    m.invoices_discount({}, of),
    m.invoices_net({}, of),
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
      widths: [175, 56, 72, 72, netWidth],
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

const total = (label: string, value: string, last = false): TableCell[] => [
  { text: label, alignment: 'right', bold: last, color: last ? 'black' : muted },
  { text: value, alignment: 'right', noWrap: true, bold: last },
]

/** Subtotal, discount and tax if there are such, total and what was paid or is still due. */
export function totals(
  { items, amount, tax, paidAt }: PrintedInvoice['invoice'],
  locale: Locale,
): Content {
  const of = { locale }
  const text = (value: string) => formatMoney(value, locale)
  const discount = sumAmounts(items.map((item) => item.discountAmount))
  const hasDiscount = !money(discount).eq(0)
  const hasTax = !money(tax.amount).eq(0)
  const body = [
    total(m.invoices_subtotal({}, of), text(sumAmounts(items.map((item) => item.amount)))),
    ...(hasDiscount ? [total(m.invoices_discount_total({}, of), text(`-${discount}`))] : []),
    ...(hasTax
      ? [total(m.invoices_tax({ rate: formatRate(tax.rate, locale) }, of), text(tax.amount))]
      : []),
    total(m.invoices_total({}, of), text(amount)),
    total(
      paidAt === null ? m.invoices_amount_due({}, of) : m.invoices_amount_paid({}, of),
      text(amount),
      true,
    ),
  ]
  return {
    unbreakable: true,
    table: {
      // As wide as the column of the items.
      widths: ['*', netWidth],
      body,
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      paddingLeft: () => 8,
      paddingRight: (column) => (column === 1 ? 0 : 8),
    },
    margin: [0, 8, 0, 0],
  } as Content
}
