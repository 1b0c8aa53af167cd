import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import { documentOf } from './invoices-pdf.document.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import type { Printed } from './invoices-pdf.printer.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts')

// Missing in the package's types.
const { virtualfs } = pdfmake as unknown as {
  virtualfs: { writeFileSync(name: string, content: Buffer): void }
}

// The fonts are read once; the access policies below forbid any other file or URL.
for (const name of ['Roboto-Regular.ttf', 'Roboto-Medium.ttf'])
  virtualfs.writeFileSync(name, readFileSync(join(fonts, 'Roboto', name)))
pdfmake.setFonts({ Roboto: { normal: 'Roboto-Regular.ttf', bold: 'Roboto-Medium.ttf' } })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => false)

parentPort?.on('message', (printed: PrintedInvoice) => {
  const respond = (message: Printed) => parentPort?.postMessage(message)
  pdfmake
    .createPdf(documentOf(printed))
    .getBuffer()
    .then(
      (bytes) => respond({ bytes: new Uint8Array(bytes) }),
      (error: unknown) => respond({ failure: String(error) }),
    )
})
