import { m } from '@slipway/phrases'
import { LegalDocument } from './legal-document.tsx'

export const Page = () => (
  <LegalDocument
    intro={m.legal_terms_intro()}
    parts={[
      { title: m.legal_terms_alpha_title(), text: m.legal_terms_alpha_text() },
      { title: m.legal_terms_account_title(), text: m.legal_terms_account_text() },
      { title: m.legal_terms_use_title(), text: m.legal_terms_use_text() },
      { title: m.legal_terms_billing_title(), text: m.legal_terms_billing_text() },
      { title: m.legal_terms_end_title(), text: m.legal_terms_end_text() },
    ]}
  />
)
