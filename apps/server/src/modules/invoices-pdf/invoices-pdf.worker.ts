import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import { documentOf } from './invoices-pdf.document.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import type { Printed } from './invoices-pdf.printer.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts')

// The package's types leave it out.
const { virtualfs } = pdfmake as unknown as {
  virtualfs: { writeFileSync(name: string, content: Buffer): void }
}

// Read once; nothing else is ever read or fetched for a document, whatever stands in it.
for (const name of ['Roboto-Regular.ttf', 'Roboto-Medium.ttf'])
  virtualfs.writeFileSync(name, readFileSync(join(fonts, 'Roboto', name)))
pdfmake.setFonts({ Roboto: { normal: 'Roboto-Regular.ttf', bold: 'Roboto-Medium.ttf' } })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => false)

parentPort?.on('message', (printed: PrintedInvoice) => {
  const answer = (message: Printed) => parentPort?.postMessage(message)
  pdfmake
    .createPdf(documentOf(printed))
    .getBuffer()
    .then(
      (bytes) => answer({ bytes: new Uint8Array(bytes) }),
      (error: unknown) => answer({ failure: String(error) }),
    )
})
