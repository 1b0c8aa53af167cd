import { AppLayout } from './app.layout.tsx'
import { PageNotFound } from './page-not-found.tsx'

/** The page for an unknown path behind the login, with the navigation. */
export const Page = () => (
  <AppLayout>
    <PageNotFound />
  </AppLayout>
)
