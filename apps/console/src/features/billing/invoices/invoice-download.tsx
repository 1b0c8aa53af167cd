import { downloadInvoice, type InvoiceId } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import Download from 'lucide-react/icons/download'
import { call, causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { useAction } from '../../../forms/use-action.ts'
import { saveFile } from '../../../shell/page/save-file.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Button } from '../../../ui/button.tsx'

/** Downloads the invoice as a PDF. A plain link cannot send the session's token. */
export function InvoiceDownload({ id }: { id: InvoiceId }) {
  const download = useAction(async () => {
    try {
      const { name, bytes } = await call(downloadInvoice, { params: { id } })
      saveFile(name, new Blob([bytes], { type: 'application/pdf' }))
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
