import '@xyflow/react/dist/base.css';
import { Button, Tooltip } from '@fluentui/react-components';
import { AddRegular, SubtractRegular, ZoomFitRegular } from '@fluentui/react-icons';
import type { Edge, Node, NodeProps } from '@xyflow/react';
import { Handle, Panel, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import type { ReactNode } from 'react';
import { createContext, useContext, useMemo } from 'react';
import type { ImpactAnalysis } from '../../../domain/strategy/impact_view.ts';
import own from './impact.module.css';
import type { Placed } from './tree_layout.ts';
import { CARD, layOutTree } from './tree_layout.ts';

/** Heights of a card with and without its slider. */
const HEIGHT = { plain: 92, movable: 168 } as const;
const EDGE = { least: 1.5, most: 9 } as const;
const VIEW = { padding: 0.04, maxZoom: 1, minZoom: 0.6 } as const;

/** Draws the card of a node. The cards of the flow are kept while the figures in them change. */
const CardContext = createContext<(no: number) => ReactNode>(() => null);

function CardNode({ data }: NodeProps<Node<{ no: number }>>) {
  const card = useContext(CardContext);
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={own.handle} />
      {card(data.no)}
      <Handle type="source" position={Position.Right} isConnectable={false} className={own.handle} />
    </>
  );
}
const NODES = { card: CardNode };

/** What the leaves below each node moved the root by, and their share of all impacts. */
function pullOf(made: ImpactAnalysis): Map<number, { effect: number; share: number }> {
  const pulls = made.units ?? made.elasticity;
  const all = [...pulls.values()].reduce((sum, one) => sum + Math.abs(one), 0) || 1;
  const found = new Map<number, { effect: number; share: number }>();
  const add = (no: number): { effect: number; share: number } => {
    const below = (made.tree.children.get(no) ?? []).map((child) => add(child.no));
    const sum =
      below.length === 0
        ? { effect: made.made?.of.get(no) ?? 0, share: Math.abs(pulls.get(no) ?? 0) / all }
        : {
            effect: below.reduce((total, one) => total + one.effect, 0),
            share: below.reduce((total, one) => total + one.share, 0),
          };
    found.set(no, sum);
    return sum;
  };
  add(made.tree.root.no);
  return found;
}

function Zoom() {
  const flow = useReactFlow();
  const buttons = [
    ['Larger', <AddRegular key="larger" />, () => void flow.zoomIn()],
    ['Smaller', <SubtractRegular key="smaller" />, () => void flow.zoomOut()],
    [
      'Show the whole tree',
      <ZoomFitRegular key="fit" />,
      () => void flow.fitView({ padding: VIEW.padding, maxZoom: 1 }),
    ],
  ] as const;
  return (
    <Panel position="bottom-left" className={own.zoom}>
      {buttons.map(([title, icon, onClick]) => (
        <Tooltip key={title} content={title} relationship="label">
          <Button appearance="subtle" icon={icon} onClick={onClick} />
        </Tooltip>
      ))}
    </Panel>
  );
}

/**
 * The tree as a picture that can be moved and zoomed. A line is as thick as the impact of the drivers behind it, green
 * where they moved the root up and red where they moved it down.
 */
export function TreeMap({
  made,
  closed,
  isMovable,
  card,
}: {
  made: ImpactAnalysis;
  closed: ReadonlySet<number>;
  isMovable: (no: number) => boolean;
  card: (no: number) => ReactNode;
}) {
  const placed = layOutTree(
    made.tree.root.no,
    (no) => (closed.has(no) ? [] : (made.tree.children.get(no) ?? []).map((child) => child.no)),
    (no) => (isMovable(no) ? HEIGHT.movable : HEIGHT.plain),
  );
  // A slider changes the figures of all cards, but not their places: the cards are made anew only if these differ.
  const places = JSON.stringify(placed);
  const nodes = useMemo(
    () =>
      (JSON.parse(places) as Placed[]).map(({ no, x, y, height }): Node<{ no: number }> => ({
        id: String(no),
        type: 'card',
        position: { x, y },
        width: CARD.width,
        height,
        data: { no },
      })),
    [places],
  );
  const pulls = pullOf(made);
  const edges = placed.flatMap(({ no, parent }): Edge[] => {
    const { effect, share } = pulls.get(no)!;
    const tone = effect > 0 ? own.up : effect < 0 ? own.down : undefined;
    return parent === null
      ? []
      : [
          {
            id: `${parent}-${no}`,
            source: String(parent),
            target: String(no),
            focusable: false,
            ...(tone !== undefined && { className: tone }),
            style: { strokeWidth: EDGE.least + (EDGE.most - EDGE.least) * share },
          },
        ];
  });
  const top = Math.min(...placed.map(({ y }) => y));
  const bottom = Math.max(...placed.map(({ y, height }) => y + height));
  const size = bottom - top > 460 ? own.tall : bottom - top > 260 ? own.medium : own.low;
  return (
    <CardContext.Provider value={card}>
      <ReactFlowProvider>
        <div className={`${own.map} ${size}`}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODES}
            fitView
            fitViewOptions={VIEW}
            minZoom={0.2}
            maxZoom={2}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            elementsSelectable={false}
            zoomOnScroll={false}
            zoomOnDoubleClick={false}
            preventScrolling={false}
          >
            <Zoom />
          </ReactFlow>
        </div>
      </ReactFlowProvider>
    </CardContext.Provider>
  );
}
