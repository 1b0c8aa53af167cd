import { useDocumentTitle } from '../../shell/page/document-title.ts'
import { useScreen } from '../../shell/page/use-screen.ts'

export function LegalDocument({
  intro,
  parts,
}: {
  intro: string
  parts: { title: string; text: string }[]
}) {
  const { title } = useScreen()
  useDocumentTitle(title)
  return (
    <article className="grid gap-6">
      <header>
        <h1 tabIndex={-1} className="text-xl leading-8 font-semibold tracking-tight">
          {title}
        </h1>
        <p className="mt-1 text-muted">{intro}</p>
      </header>
      {parts.map((part) => (
        <section key={part.title} className="grid gap-1">
          <h2 className="font-semibold">{part.title}</h2>
          <p className="leading-6">{part.text}</p>
        </section>
      ))}
    </article>
  )
}
