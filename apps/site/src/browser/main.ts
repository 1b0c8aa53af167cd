import { startDesignPreview } from './design-preview.ts'
import { startEditing } from './editing.ts'
import { startReordering } from './reordering.ts'
import { startUpload } from './uploading.ts'

// The pages work without this: it adds the live preview, the toolbar, pictures and dragging.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-upload]')) {
  if (!form.closest('dialog')) startUpload(form, () => location.assign(location.pathname))
}
startEditing()
startDesignPreview()
startReordering()
