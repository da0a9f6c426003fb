import { Navigate } from 'react-router';
import { NotFoundPage } from './not-found-page.tsx';
import { useListedPages } from './use-listed-pages.ts';

/** Leads to the first page that the person may open. */
export function FirstPage() {
  const path = useListedPages()[0]?.path;
  return path === undefined ? <NotFoundPage /> : <Navigate to={`/${path}`} replace />;
}
