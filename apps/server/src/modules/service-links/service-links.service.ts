import type { ServiceLink } from '@slipway/contract/service-links'
import { m } from '@slipway/phrases'
import type { Context, UserContext } from '../../context.ts'

type Ctx = Pick<Context, 'env'> & Pick<UserContext, 'locale'>

const pages = [
  { id: 'documentation', name: m.shell_documentation, variable: 'DOCS_URL' },
  { id: 'status', name: m.shell_status, variable: 'STATUS_URL' },
  { id: 'terms', name: m.legal_terms_title, variable: 'TERMS_URL' },
  { id: 'privacy', name: m.legal_privacy_title, variable: 'PRIVACY_URL' },
] as const

/** The configured pages in the order of the footer, named in the caller's language. */
export const list = ({ env, locale }: Ctx): ServiceLink[] =>
  pages.flatMap(({ id, name, variable }) => {
    const url = env[variable]
    return url === undefined ? [] : [{ id, name: name({}, { locale }), url }]
  })
