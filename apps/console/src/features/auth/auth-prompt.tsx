import type { ReactNode } from 'react'

export const AuthPrompt = ({ question, children }: { question: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-center gap-x-1.5">
    <span>{question}</span>
    {children}
  </div>
)
