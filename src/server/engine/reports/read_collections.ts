import type {
  CollectionFigure,
  CollectionPart,
  CollectionQuestion,
} from '../../../domain/review/collection_question.ts';
import type { Session } from '../../access/context.ts';

/** Reads figures of collections with the rights of a person. */
export interface ReadCollections {
  /**
   * A figure of a collection by period, over the rows that the person may read. @throws AppError 403 if the figure needs
   * a field that is kept from them
   */
  collectionFigures(
    session: Session,
    id: number,
    question: CollectionQuestion,
    count: number,
  ): Promise<CollectionFigure[]>;
  /** The same for each value of the column that divides the figure. @throws AppError 403 */
  collectionParts(session: Session, id: number, question: CollectionQuestion, count: number): Promise<CollectionPart[]>;
}
