<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>kw::ApprovalPanel</name>
    <message numerus="yes">
        <source>it takes the place of %n earlier one(s)</source>
        <translation>
            <numerusform>it takes the place of an earlier one</numerusform>
            <numerusform>it takes the place of %n earlier ones</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting in all</source>
        <translation>
            <numerusform>%n waiting in all</numerusform>
            <numerusform>%n waiting in all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::EvidencePanel</name>
    <message numerus="yes">
        <source>%1, %n thread(s)</source>
        <translation>
            <numerusform>%1, %n thread</numerusform>
            <numerusform>%1, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n disturbed sample(s) left out</source>
        <translation>
            <numerusform>%n disturbed sample left out</numerusform>
            <numerusform>%n disturbed samples left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n process pair(s)</source>
        <translation>
            <numerusform>%1 in %n process pair</numerusform>
            <numerusform>%1 in %n process pairs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::HotSpotModel</name>
    <message numerus="yes">
        <source>Time per run of the model: %1 (%2), %n call(s)</source>
        <translation>
            <numerusform>Time per run of the model: %1 (%2), %n call</numerusform>
            <numerusform>Time per run of the model: %1 (%2), %n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::RunBar</name>
    <message numerus="yes">
        <source>%n experiment(s)</source>
        <translation>
            <numerusform>%n experiment</numerusform>
            <numerusform>%n experiments</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::TreemapView</name>
    <message numerus="yes">
        <source>Other (%n)</source>
        <translation>
            <numerusform>Other (%n)</numerusform>
            <numerusform>Other (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kw::VerdictModel</name>
    <message numerus="yes">
        <source>%n case(s), %1</source>
        <translation>
            <numerusform>%n case, %1</numerusform>
            <numerusform>%n cases, %1</numerusform>
        </translation>
    </message>
</context>
</TS>
