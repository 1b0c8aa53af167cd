import type { ComponentProps, ReactNode } from 'react'

/** A column of fields. The browser's own bubbles are off: the fields show their messages. */
export const Form = ({ children, ...rest }: Omit<ComponentProps<'form'>, 'className'>) => (
  <form noValidate {...rest} className="grid gap-5">
    {children}
  </form>
)

/** The buttons that end a form; the one that submits comes first. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 pt-1">{children}</div>
)
