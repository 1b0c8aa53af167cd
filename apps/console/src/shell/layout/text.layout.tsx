import { Outlet } from '@tanstack/react-router'
import { CenteredLayout } from './centered.layout.tsx'

/** The pages that are there to be read, by anyone. */
export const Page = () => (
  <CenteredLayout wide>
    <Outlet />
  </CenteredLayout>
)
