import { downloadInvoice, type InvoiceId } from '@slipway/contract/invoices'
import { minute } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import Download from 'lucide-react/icons/download'
import { call, causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { useAction } from '../../../forms/use-action.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Button } from '../../../ui/button.tsx'

function save({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the bytes only after the user has chosen a location.
  setTimeout(() => URL.revokeObjectURL(url), minute)
}

/** Downloads the invoice as a PDF. A plain link cannot send the session's token. */
export function InvoiceDownload({ id }: { id: InvoiceId }) {
  const download = useAction(async () => {
    try {
      save(await call(downloadInvoice, { params: { id } }))
    } catch (error) {
      if (causesRedirect(error)) return
      showToast('failure', m.invoices_download_failed({ message: errorMessage(error) }))
    }
  })
  return (
    <Button icon={Download} pending={download.pending} onClick={() => download.run()}>
      {m.invoices_download()}
    </Button>
  )
}
