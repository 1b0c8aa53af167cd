import { useState } from 'react'

/** A dialog about one of several subjects; the subject stays until the closing transition ends. */
export function useDialog<Subject>() {
  const [subject, setSubject] = useState<Subject | null>(null)
  const [open, setOpen] = useState(false)
  return {
    subject,
    open,
    openFor: (newSubject: Subject) => {
      setSubject(newSubject)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}
