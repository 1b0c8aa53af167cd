import { AppLayout } from './app.layout.tsx'
import { PageNotFound } from './page-not-found.tsx'

/** Any address that is not in the route table, for whoever is signed in: the navigation leads on. */
export const Page = () => (
  <AppLayout>
    <PageNotFound />
  </AppLayout>
)
