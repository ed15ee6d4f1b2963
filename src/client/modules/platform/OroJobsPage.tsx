import { Navigate } from 'react-router-dom';
import { familyAddress } from './import_job_family.ts';

/** The list of all import jobs, limited to one family. */
export default function OroJobsPage() {
  return <Navigate to={familyAddress('oro')} replace />;
}
