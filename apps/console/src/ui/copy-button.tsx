import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

/** Copies a text; says so for a moment, to a screen reader too. Absent where there is no clipboard. */
export function CopyButton({
  text,
  texts,
}: {
  text: string
  texts: { copy: string; copied: string; failed: string }
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  // Browsers give the clipboard to secure pages alone.
  if (!navigator.clipboard) return null
  return (
    <>
      <IconButton
        icon={outcome === 'copied' ? Check : Copy}
        label={texts.copy}
        onClick={() =>
          navigator.clipboard.writeText(text).then(
            () => setOutcome('copied'),
            () => setOutcome('failed'),
          )
        }
      />
      <span role="status" className={outcome === 'failed' ? 'text-danger' : 'sr-only'}>
        {outcome ? texts[outcome] : ''}
      </span>
    </>
  )
}
